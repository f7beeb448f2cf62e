import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(
  need.title('kubectl asks about the cluster'),
  { concurrent: true, timeout: TEST_MS },
  () => {
    const { kubectl, refused, start, namespace, file, pocket } = openTerminal();

    it('lists what is served', async () => {
      const resources = tableOf(await kubectl`api-resources`);
      expect(resources).toContainEqual({
        NAME: 'deployments',
        SHORTNAMES: 'deploy',
        APIVERSION: 'apps/v1',
        NAMESPACED: 'true',
        KIND: 'Deployment',
      });
      expect(resources.find(({ KIND }) => KIND === 'Namespace')).toMatchObject({
        SHORTNAMES: 'ns',
        NAMESPACED: 'false',
      });
      expect(await kubectl`api-resources --api-group=batch -o name`).toBe('cronjobs.batch\njobs.batch\n');
      expect(await kubectl`api-resources --namespaced=false --verbs=list,watch -o name`).toContain('nodes\n');
      expect((await kubectl`api-versions`).split('\n')).toEqual(
        expect.arrayContaining(['apps/v1', 'batch/v1', 'rbac.authorization.k8s.io/v1', 'v1']),
      );
    });

    it('learns about a new kind at once, and forgets a deleted one', async () => {
      const definition = file('crd.yaml', CRD);
      await kubectl`create -f ${definition}`;
      await kubectl`wait crd/lamps.example.com --for=condition=Established --timeout=10s`;
      expect(tableOf(await kubectl`api-resources --api-group=example.com`)).toEqual([
        { NAME: 'lamps', SHORTNAMES: 'la', APIVERSION: 'example.com/v1', NAMESPACED: 'true', KIND: 'Lamp' },
      ]);
      expect(await kubectl`explain lamp.spec.watts`).toContain('How bright it is.');
      await kubectl`delete -f ${definition}`;
      expect(await kubectl`api-resources --api-group=example.com -o name`).toBe('');
      expect((await refused`get lamps`).stderr).toContain('the server doesn\'t have a resource type "lamps"');
    });

    it('explains built-in kinds field by field', async () => {
      const pod = await kubectl`explain pod.spec.containers`;
      expect(pod).toMatch(/^KIND: +Pod\nVERSION: +v1\n\nFIELD: containers <\[\]Container>/);
      expect(pod).toMatch(/^ {2}image\t<string>/m);
      expect(pod).toMatch(/^ {2}name\t<string> -required-/m);
      const strategy = await kubectl`explain deployment.spec.strategy --recursive`;
      expect(strategy).toMatch(/^GROUP: +apps\nKIND: +Deployment\n[^]*^ {2}rollingUpdate\t<[^]*^ {4}maxSurge\t</m);
      expect(await kubectl`explain cronjob --recursive`).toMatch(/^ {2,}terminationGracePeriodSeconds\t<integer>/m);
      expect((await refused`explain pod.spec.nope`).stderr).toContain('field "nope" does not exist');
      expect((await refused`explain nope`).stderr).toContain('the server doesn\'t have a resource type "nope"');
    });

    it('knows who asks and what is allowed', async () => {
      expect(await kubectl`auth can-i delete pods --all-namespaces`).toBe('yes\n');
      expect(await kubectl`auth can-i create deployments.apps/scale`).toBe('yes\n');
      expect(await kubectl`auth can-i --list`).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m);
      expect(await kubectl`auth whoami`).toMatch(/^Username +pocket-admin$/m);
      expect(await kubectl`auth whoami`).toMatch(/^Groups +\[.*system:masters.*\]$/m);
    });

    it('says where it is and what it is', async () => {
      expect(await kubectl`cluster-info`).toContain(`is running at`);
      expect(await kubectl`cluster-info`).toContain(pocket().url);
      expect(await kubectl`version`).toMatch(/^Server Version: v1\.36\.\d+\+pocket$/m);
      expect(await kubectl`config current-context`).toBe('pocket-kubectl\n');
    });

    it('shows events, newest last, for one object and while they come', async () => {
      const ns = await namespace('events');
      await kubectl`create -f ${file('event.yaml', event(ns, 'first', '2026-01-01T00:00:00Z'))}`;
      await kubectl`create -f ${file('event.yaml', event(ns, 'second', '2026-01-01T00:05:00Z'))}`;
      const rows = tableOf(await kubectl`events -n ${ns}`);
      expect(rows.map(({ TYPE, REASON, OBJECT, MESSAGE }) => [TYPE, REASON, OBJECT, MESSAGE])).toEqual([
        ['Warning', 'Tested', 'ConfigMap/one', 'first'],
        ['Warning', 'Tested', 'ConfigMap/one', 'second'],
      ]);
      expect(await kubectl`events -n ${ns} --for configmap/other --no-headers`).toBe('');
      expect(await kubectl`get events -n ${ns} --field-selector involvedObject.name=one`).toContain('configmap/one');
      await using watch = start`events -n ${ns} --watch --types=Warning`;
      await watch.prints('second');
      await kubectl`create -f ${file('event.yaml', event(ns, 'third', '2026-01-01T00:06:00Z'))}`;
      await watch.prints('third');
    });

    it('says plainly that nothing is measured', async () => {
      expect(await refused`top pods -A`).toMatchObject({ code: 1, stderr: 'error: Metrics API not available\n' });
      expect(await refused`top nodes`).toMatchObject({ code: 1, stderr: 'error: Metrics API not available\n' });
    });
  },
);

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lamps.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: lamps, singular: lamp, kind: Lamp, shortNames: [la] }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { watts: { type: integer, description: How bright it is. } } }
`;

function event(namespace: string, name: string, at: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'one', namespace },
    type: 'Warning',
    reason: 'Tested',
    message: name,
    source: { component: 'test' },
    count: 1,
    firstTimestamp: at,
    lastTimestamp: at,
  });
}
