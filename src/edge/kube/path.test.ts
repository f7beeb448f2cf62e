import { describe, expect, it } from 'vitest';
import { collectionPath, objectPath, podPath } from './path.ts';

const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const roles = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

describe('path', () => {
  it.each([
    [collectionPath({ type: pods }), '/api/v1/pods'],
    [collectionPath({ type: pods, namespace: 'shop' }), '/api/v1/namespaces/shop/pods'],
    [collectionPath({ type: roles, namespace: 'ignored' }), '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
    [objectPath({ type: roles, name: 'system:node' }), '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'],
    [objectPath({ type: pods, namespace: 'a', name: 'b' }, 'status'), '/api/v1/namespaces/a/pods/b/status'],
    [podPath({ namespace: 'a', name: 'b' }, 'log'), '/api/v1/namespaces/a/pods/b/log'],
  ])('%s', (path, expected) => {
    expect(path).toBe(expected);
  });

  it.each(['', '.', '..', 'a/b'])('refuses the name %j', (bad) => {
    expect(() => objectPath({ type: pods, namespace: 'a', name: bad })).toThrow('expected an object');
    expect(() => collectionPath({ type: pods, namespace: bad })).toThrow('expected an object');
  });
});
