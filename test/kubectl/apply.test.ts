import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../bed/index.ts';
import { EDITOR, openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(
  need.title('kubectl apply, diff, replace and edit'),
  { concurrent: true, timeout: TEST_MS },
  () => {
    const { kubectl, refused, namespace, file } = openTerminal();

    const manifest = (ns: string, image = 'nginx:1'): string => file(`${ns}.yaml`, deployment(ns, image));

    it('creates, finds nothing to do, changes', async () => {
      const ns = await namespace('apply');
      expect(await kubectl`apply -f ${manifest(ns)}`).toBe('deployment.apps/web created\n');
      expect(await kubectl`apply -f ${manifest(ns)}`).toBe('deployment.apps/web unchanged\n');
      expect(await kubectl`apply -f ${manifest(ns, 'nginx:2')}`).toBe('deployment.apps/web configured\n');
      const path = '{.spec.template.spec.containers[*].image} {.metadata.generation}';
      expect(await kubectl`get deploy web -n ${ns} -o jsonpath=${path}`).toBe('nginx:2 busybox 2');
      expect(await kubectl`apply view-last-applied deploy/web -n ${ns}`).toContain('image: nginx:2');
    });

    it('keeps what others set, and removes what it no longer says', async () => {
      const ns = await namespace('apply');
      await kubectl`apply -f ${manifest(ns)}`;
      await kubectl`scale deploy web -n ${ns} --replicas=4`;
      await kubectl`label deploy web -n ${ns} by=others`;
      const text = deployment(ns, 'nginx:1').replace(/^ *- \{ name: side.*\n/m, '');
      await kubectl`apply -f ${file(`${ns}.yaml`, text)}`;
      const found = parse(await kubectl`get deploy web -n ${ns} -o yaml`) as object;
      expect(found).toMatchObject({
        metadata: { labels: { by: 'others' } },
        spec: { replicas: 4, template: { spec: { containers: [{ name: 'web' }] } } },
      });
      expect(await kubectl`get deploy web -n ${ns} -o jsonpath=${'{.spec.template.spec.containers[*].name}'}`).toBe(
        'web',
      );
    });

    it('adopts what was created otherwise, with a warning', async () => {
      const ns = await namespace('apply');
      await kubectl`create cm one -n ${ns} --from-literal=k=v`;
      const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: ${ns}}, data: {k: w}}`;
      expect(await kubectl`apply -f ${file(`${ns}.yaml`, text)}`).toBe('configmap/one configured\n');
      expect(await kubectl`get cm one -n ${ns} -o jsonpath=${'{.data.k}'}`).toBe('w');
    });

    it('shows what it would do, and does not do it', async () => {
      const ns = await namespace('apply');
      expect(await kubectl`apply --dry-run=server -f ${manifest(ns)}`).toBe(
        'deployment.apps/web created (server dry run)\n',
      );
      expect((await refused`get deploy web -n ${ns}`).stderr).toContain('deployments.apps "web" not found');
      await kubectl`apply -f ${manifest(ns)}`;
      expect(await kubectl`diff -f ${manifest(ns)}`).toBe('');
      const changed = manifest(ns, 'nginx:3');
      const { code, stdout } = await refused`diff -f ${changed}`;
      expect(code).toBe(1);
      expect(stdout).toMatch(/^-\s+- image: nginx:1\n\+\s+- image: nginx:3$/m);
      const tried = await kubectl`apply --dry-run=server -o yaml -f ${changed}`;
      expect(tried).toContain('image: nginx:3');
      expect(await kubectl`get deploy web -n ${ns} -o jsonpath=${'{.spec.template.spec.containers[0].image}'}`).toBe(
        'nginx:1',
      );
    });

    it('applies a kind and an object of it as on a real cluster: the second time', async () => {
      const ns = await namespace('apply');
      const both = file(`${ns}.yaml`, kindAndObject(ns));
      const first = await refused`apply -f ${both}`;
      expect(first.stdout).toBe(`customresourcedefinition.apiextensions.k8s.io/cups.example.com created\n`);
      expect(first.stderr).toContain(
        'no matches for kind "Cup" in version "example.com/v1"\nensure CRDs are installed',
      );
      await kubectl`wait crd cups.example.com --for=condition=Established --timeout=10s`;
      expect(await kubectl`apply -f ${both}`).toContain('cup.example.com/blue created\n');
      expect(await kubectl`apply -f ${both}`).toContain('cup.example.com/blue unchanged\n');
      const more = file(`${ns}.yaml`, kindAndObject(ns).replace('9007199254740993', '250'));
      expect(await kubectl`get cup blue -n ${ns} -o jsonpath=${'{.spec.ml}'}`).toBe('9007199254740993');
      expect(await kubectl`apply -f ${more}`).toContain('cup.example.com/blue configured\n');
      expect(await kubectl`get cup blue -n ${ns} -o jsonpath=${'{.spec.ml}'}`).toBe('250');
      const wrong = file(`${ns}.yaml`, kindAndObject(ns).replace('9007199254740993', 'much'));
      expect((await refused`apply -f ${wrong}`).stderr).toContain(
        'The Cup "blue" is invalid: spec.ml: Invalid value: "string": spec.ml in body must be of type integer: "string"',
      );
    });

    it('says plainly that server-side apply is not there', async () => {
      const ns = await namespace('apply');
      const { code, stderr } = await refused`apply --server-side -f ${manifest(ns)}`;
      expect(code).toBe(1);
      expect(stderr).toContain('error: Server-side apply not available on the server');
      expect(stderr).toContain('accepted media types include: application/json-patch+json');
      expect((await refused`diff --server-side -f ${manifest(ns)}`).stderr).toContain('(UnsupportedMediaType)');
    });

    it('replaces, and refuses to when somebody was faster', async () => {
      const ns = await namespace('replace');
      const text = (value: string): string =>
        file(
          `${ns}.yaml`,
          `{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: ${ns}}, data: {k: ${value}}}`,
        );
      await kubectl`create -f ${text('a')}`;
      expect(await kubectl`replace -f ${text('b')}`).toBe('configmap/one replaced\n');
      const old = file(`${ns}-old.yaml`, await kubectl`get cm one -n ${ns} -o yaml`);
      await kubectl`label cm one -n ${ns} a=b`;
      expect((await refused`replace -f ${old}`).stderr).toContain(
        'Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes',
      );
      expect(await kubectl`replace --force -f ${text('c')}`).toBe(
        `configmap "one" deleted from ${ns} namespace\nconfigmap/one replaced\n`,
      );
    });

    it('edits, and leaves alone what was not changed', async () => {
      const ns = await namespace('edit');
      await kubectl`create cm one -n ${ns} --from-literal=theme=dark`;
      await kubectl`create cm two -n ${ns} --from-literal=other=value`;
      file(EDITOR, `#!/bin/sh\nsed -i 's/theme: dark/theme: light/' "$1"\n`);
      expect(await kubectl`edit cm one -n ${ns}`).toBe('configmap/one edited\n');
      expect(await kubectl`get cm one -n ${ns} -o jsonpath=${'{.data.theme}'}`).toBe('light');
      // kubectl says this on stderr, and that it was fine with its exit code.
      expect(await kubectl`edit cm two -n ${ns}`).toBe('');
    });
  },
);

function deployment(namespace: string, image: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: ${namespace} }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "${image}" }
        - { name: side, image: busybox }
`;
}

function kindAndObject(namespace: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: cups.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: cups, singular: cup, kind: Cup }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { ml: { type: integer, format: int64 } } }
---
apiVersion: example.com/v1
kind: Cup
metadata: { name: blue, namespace: ${namespace} }
spec: { ml: 9007199254740993 }
`;
}
