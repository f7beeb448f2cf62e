import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(need.title('kubectl rollout'), { concurrent: true, timeout: TEST_MS }, () => {
  const { kubectl, refused, start, namespace, file } = openTerminal();

  const image = '{.spec.template.spec.containers[0].image}';

  it('rolls a deployment out, back and anew', async () => {
    const ns = await namespace('rollout');
    await kubectl`create deployment web -n ${ns} --image=nginx:1 --replicas=3`;
    expect(await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`).toMatch(
      /^deployment "web" successfully rolled out$/m,
    );
    await kubectl`set image deploy/web -n ${ns} nginx=nginx:2`;
    await kubectl`annotate deploy/web -n ${ns} kubernetes.io/change-cause=${'a new image'}`;
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    await eventually(async () => {
      expect(await kubectl`rollout history deploy/web -n ${ns}`).toMatch(/^1 +<none>\n2 +a new image$/m);
    });
    expect(await kubectl`rollout history deploy/web -n ${ns} --revision=2`).toMatch(/Image:\s+nginx:2/);
    expect(await kubectl`rollout undo deploy/web -n ${ns}`).toBe('deployment.apps/web rolled back\n');
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    expect(await kubectl`get deploy web -n ${ns} -o jsonpath=${image}`).toBe('nginx:1');
    expect(await kubectl`rollout restart deploy/web -n ${ns}`).toBe('deployment.apps/web restarted\n');
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    const sets = tableOf(await kubectl`get rs -n ${ns}`);
    expect(sets.map(({ DESIRED, READY }) => `${DESIRED ?? ''} ${READY ?? ''}`).sort()).toEqual(['0 0', '0 0', '3 3']);
    expect((await refused`rollout undo deploy/web -n ${ns} --to-revision=99`).stderr).toContain(
      'unable to find specified revision 99 in history',
    );
  });

  it('pauses and resumes', async () => {
    const ns = await namespace('rollout');
    await kubectl`create deployment web -n ${ns} --image=nginx:1`;
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    expect(await kubectl`rollout pause deploy/web -n ${ns}`).toBe('deployment.apps/web paused\n');
    await kubectl`set image deploy/web -n ${ns} nginx=nginx:2`;
    await using status = start`rollout status deploy/web -n ${ns} --timeout=30s`;
    await status.prints('Waiting for deployment "web" rollout to finish: 0 out of 1 new replicas have been updated');
    expect(await kubectl`get rs -n ${ns} -o name`).toMatch(/^replicaset.apps\/\S+\n$/);
    expect(await kubectl`rollout resume deploy/web -n ${ns}`).toBe('deployment.apps/web resumed\n');
    expect(await status.exitCode()).toBe(0);
  });

  it('follows a scale to its end', async () => {
    const ns = await namespace('rollout');
    await kubectl`create deployment web -n ${ns} --image=nginx`;
    await kubectl`scale deploy/web -n ${ns} --replicas=4 --timeout=15s`;
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    expect(await kubectl`get deploy web -n ${ns}`).toMatch(/^web +4\/4 +4 +4 /m);
    await kubectl`scale deploy/web -n ${ns} --replicas=0`;
    await kubectl`wait pod -l app=web -n ${ns} --for=delete --timeout=15s`;
    expect(await kubectl`get pods -n ${ns} -o name`).toBe('');
  });

  it('rolls stateful sets and daemon sets', async () => {
    const ns = await namespace('rollout');
    await kubectl`apply -f ${file(`${ns}.yaml`, SETS)} -n ${ns}`;
    expect(await kubectl`rollout status sts/db -n ${ns} --timeout=15s`).toContain(
      'partitioned roll out complete: 2 new pods',
    );
    expect(await kubectl`rollout status ds/agent -n ${ns} --timeout=15s`).toContain(
      'daemon set "agent" successfully rolled out',
    );
    expect(await kubectl`get pods -n ${ns} -l app=db -o name`).toBe('pod/db-0\npod/db-1\n');
    const claims = tableOf(await kubectl`get pvc -n ${ns}`);
    expect(claims.map(({ NAME, STATUS, STORAGECLASS }) => [NAME, STATUS, STORAGECLASS])).toEqual([
      ['data-db-0', 'Bound', 'pocket'],
      ['data-db-1', 'Bound', 'pocket'],
    ]);
    await kubectl`set image sts/db ds/agent -n ${ns} main=busybox:2`;
    await kubectl`rollout status sts/db -n ${ns} --timeout=15s`;
    await kubectl`rollout status ds/agent -n ${ns} --timeout=15s`;
    const images = '{.items[*].spec.containers[0].image}';
    expect(await kubectl`get pods -n ${ns} -o jsonpath=${images}`).toBe('busybox:2 busybox:2 busybox:2');
    expect(await kubectl`rollout history sts/db -n ${ns}`).toMatch(/^1 .*\n2 /m);
    await kubectl`rollout undo sts/db -n ${ns}`;
    await kubectl`rollout status sts/db -n ${ns} --timeout=15s`;
    expect(await kubectl`get sts db -n ${ns} -o jsonpath=${image}`).toBe('busybox:1');
  });

  it('completes a job', async () => {
    const ns = await namespace('rollout');
    await kubectl`create job once -n ${ns} --image=busybox -- true`;
    await kubectl`wait job/once -n ${ns} --for=condition=Complete --timeout=15s`;
    expect(await kubectl`get job once -n ${ns}`).toMatch(/^once +Complete +1\/1 /m);
    expect(await kubectl`get pods -n ${ns} -l job-name=once`).toMatch(/ 0\/1 +Completed /);
  });
});

const SETS = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: 2
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: main, image: "busybox:1", volumeMounts: [{ name: data, mountPath: /data }] }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: main, image: "busybox:1" }] }
`;
