import { describe, expect, it } from 'vitest';
import { routeOf } from './route.ts';

describe('routeOf', () => {
  it.each([
    ['/api', { kind: 'legacyGroups' }],
    ['/apis', { kind: 'groups' }],
    ['/apis/apps', { kind: 'group', group: 'apps' }],
    ['/api/v1', { kind: 'resources', group: '', version: 'v1' }],
    ['/apis/apps/v1/', { kind: 'resources', group: 'apps', version: 'v1' }],
    ['/api/v1/pods', { kind: 'resource', plural: 'pods', namespace: undefined, name: undefined }],
    ['/api/v1/namespaces', { kind: 'resource', plural: 'namespaces', name: undefined }],
    ['/api/v1/namespaces/a', { kind: 'resource', plural: 'namespaces', name: 'a', namespace: undefined }],
    ['/api/v1/namespaces/a/finalize', { plural: 'namespaces', name: 'a', subresource: 'finalize' }],
    ['/api/v1/namespaces/a/pods', { plural: 'pods', namespace: 'a', name: undefined }],
    ['/api/v1/namespaces/a/pods/b', { plural: 'pods', namespace: 'a', name: 'b', subresource: undefined }],
    [
      '/apis/g/v/namespaces/a/xs/b/status',
      { group: 'g', plural: 'xs', namespace: 'a', name: 'b', subresource: 'status' },
    ],
    ['/apis/g/v/xs/b', { group: 'g', version: 'v', plural: 'xs', namespace: undefined, name: 'b' }],
    ['/apis/g/v/xs/system%3Ab', { name: 'system:b' }],
    ['/openapi/v3/apis/apps/v1', { kind: 'openApi', path: 'apis/apps/v1' }],
    ['/version', { kind: 'other', path: '/version' }],
  ])('%s', (path, expected) => {
    expect(routeOf(path)).toMatchObject(expected);
  });

  it('refuses an escape that is none', () => {
    expect(() => routeOf('/api/v1/pods/%zz')).toThrow('invalid URL escape');
  });
});
