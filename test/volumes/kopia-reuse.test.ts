import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KopiaPlugin } from '../../src/edge/volumes/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { KOPIA, KopiaPlace } from './kopia-place.ts';

const need = needs('kopia');
const signal = AbortSignal.timeout(120_000);

describe.skipIf(need.missing)(need.title('what a snapshot refers to'), { timeout: 120_000 }, () => {
  let place: KopiaPlace;
  let uses = 0;
  /** The real kopia, behind a script that writes down what it is asked for, and may do something else first. */
  const recorded = (first = ''): string => {
    const program = join(place.path, 'kopia');
    writeFileSync(program, `#!/bin/sh\necho "$*" >>'${place.path}/asked'\n${first}\nexec '${KOPIA}' "$@"\n`);
    chmodSync(program, 0o700);
    return program;
  };
  const copy = async (volume: string, files: Record<string, Buffer>, program = recorded()): Promise<string[]> => {
    const path = place.directory(volume);
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes);
    rmSync(join(place.path, 'asked'), { force: true });
    const plugin = new KopiaPlugin({ ...place.deps(place.inDirectory()), program }, {});
    const source = { namespace: 'shop', pod: 'db-0', volume };
    const { snapshotID } = await plugin.snapshot({ id: `b-${(uses += 1)}`, path, source }, { signal });
    expect(snapshotID).toMatch(/^[0-9a-f]{32}$/);
    expect(existsSync(join(place.path, 'asked'))).toBe(true);
    const asked = readFileSync(join(place.path, 'asked'), 'utf8').trimEnd().split('\n');
    return asked.map((line) => / snapshot (create|verify) /.exec(line)?.[1] ?? line);
  };

  beforeAll(async () => {
    place = new KopiaPlace();
    const preparing = place.plugin(place.inDirectory(), { isPreparing: true });
    const path = place.directory('first');
    writeFileSync(join(path, 'a'), content(100_000, 1));
    writeFileSync(join(path, 'b'), content(100_000, 2));
    const source = { namespace: 'shop', pod: 'db-0', volume: 'first' };
    await preparing.snapshot({ id: 'b-first', path, source }, { signal });
  });
  afterAll(() => {
    place[Symbol.dispose]();
  });

  it('is not looked for if it is all new', async () => {
    expect(await copy('second', { c: content(100_000, 3), d: content(100_000, 4) })).toEqual(['create']);
  });

  it('is looked for if a file is as it was', async () => {
    expect(await copy('first', { a: content(100_000, 5) })).toEqual(['create', 'verify']);
  });

  it('is looked for if another volume has some of it', async () => {
    expect(await copy('third', { e: content(100_000, 6), f: content(100_000, 1) })).toEqual(['create', 'verify']);
  });

  it('is looked for if an older kopia does not tell', async () => {
    const flag = '--metrics-store-on-exit';
    const said = `kopia: error: unknown long flag '${flag}', try --help`;
    const older = recorded(`case "$*" in *${flag}*) echo "${said}" >&2; exit 1 ;; esac`);
    expect(await copy('fourth', { g: content(100_000, 7) }, older)).toEqual(['create', 'create', 'verify']);
  });
});
