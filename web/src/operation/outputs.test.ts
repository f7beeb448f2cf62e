import { expect, it } from 'vitest';
import { outputsOf } from './outputs.ts';
import { volumeText } from './volume-text.ts';

it('tells what the phases of an action set returned, and its artifacts', () => {
  const action = {
    name: 'backup',
    phases: [
      { name: 'dump', output: { path: 's3/x', files: 3 } },
      { name: 'quiet', output: {} },
    ],
    deferPhase: { name: 'unlock', output: { ok: true } },
    artifacts: { dump: { keyValue: { path: 's3/x' }, kopiaSnapshot: '{}' } },
  };
  expect(outputsOf({ kind: 'ActionSet', status: { actions: [action] } })).toEqual([
    {
      action: 'backup',
      title: 'phase dump',
      values: [
        { name: 'path', text: 's3/x' },
        { name: 'files', text: '3' },
      ],
    },
    { action: 'backup', title: 'phase unlock', values: [{ name: 'ok', text: 'true' }] },
    {
      action: 'backup',
      title: 'artifact dump',
      values: [
        { name: 'kopiaSnapshot', text: '{}' },
        { name: 'path', text: 's3/x' },
      ],
    },
  ]);
  expect(outputsOf({ kind: 'Backup', status: { actions: [action] } })).toEqual([]);
});

it('says of a volume by whom, which attempt, and what was not copied again', () => {
  const facts = { claim: 'shop/data', plugin: 'kopia', attempt: 2, files: 1, reusedBytes: 1024, uploadedBytes: 0 };
  expect(volumeText({ facts } as never)).toBe(
    'shop/data · with kopia · attempt 2 · 1 file · 1.0 KiB reused from an earlier backup · 0 B uploaded',
  );
  expect(volumeText({ facts: {} } as never)).toBeUndefined();
});
