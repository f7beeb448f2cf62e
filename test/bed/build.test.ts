import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { buildAll, buildTable } from './build.ts';
import { isBuilt } from './cache.ts';
import { partNamed } from './parts.ts';
import { identify } from './processes.ts';
import { scratch, type Scratch } from './scratch.ts';

const PARTS = [partNamed('etcd'), partNamed('kopia'), partNamed('restic')];

/** A `go` that notes each run, fails for kopia, and writes the output that it was asked for. */
function fakeGo(place: Scratch, before = ''): string {
  const path = join(place.directory, 'go');
  const script = `#!/bin/sh
    echo run >> ${place.directory}/runs
    ${before}
    while [ $# -gt 1 ]; do [ "$1" = -o ] && output=$2; shift; done
    case "$1" in *kopia*) echo "no such module" >&2; exit 1;; esac
    echo program > "$output"
  `;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function settings(place: Scratch, before?: string) {
  const lines: string[] = [];
  const signal = new AbortController().signal;
  const print = (line: string) => lines.push(line);
  return { lines, options: { cache: join(place.directory, 'cache'), go: fakeGo(place, before), signal, print } };
}

const runs = (place: Scratch) => readFileSync(join(place.directory, 'runs'), 'utf8').trim().split('\n').length;

describe('buildAll', () => {
  it('goes on after a part that fails, and shows what it said', async () => {
    using place = scratch();
    const { options, lines } = settings(place);
    const results = await buildAll(PARTS, options);
    expect(results.map(({ outcome }) => outcome)).toEqual(['built', 'failed', 'built']);
    expect(String(results[1]?.error)).toContain('no such module');
    expect(lines[1]).toMatch(/^\[2\/3\] kopia v0.22.3: failed after/);
    expect(buildTable(results)[2]).toMatch(/^restic +v0.18.0 +built +[\d.]+ s$/);
    expect(readdirSync(options.cache).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('does nothing the second time', async () => {
    using place = scratch();
    const { options } = settings(place);
    const parts = [partNamed('etcd')];
    await buildAll(parts, options);
    const again = await buildAll(parts, options);
    expect(again.map(({ outcome }) => outcome)).toEqual(['cached']);
    expect(runs(place)).toBe(1);
  });

  it('builds once when two build at the same time', async () => {
    using place = scratch();
    const { options, lines } = settings(place, 'sleep 0.2');
    const parts = [partNamed('etcd')];
    const both = await Promise.all([buildAll(parts, options), buildAll(parts, options)]);
    expect(both.flat().map(({ outcome }) => outcome)).toEqual(['built', 'cached']);
    expect(runs(place)).toBe(1);
    expect(lines).toContain(`[1/1] etcd v3.6.7: waiting for process ${process.pid}, which is building it`);
  });

  it('leaves neither processes nor a half-built part when it is interrupted', async () => {
    using place = scratch();
    const { options } = settings(place, `sleep 100 & echo $! > ${place.directory}/compiler; wait`);
    const interrupted = new AbortController();
    const building = buildAll(PARTS, { ...options, signal: interrupted.signal });
    const compiler = await eventually(() => Number(readFileSync(join(place.directory, 'compiler'), 'utf8').trim()));
    interrupted.abort(new Error('stopped by SIGINT'));
    await expect(building).rejects.toThrow('stopped by SIGINT');
    await eventually(() => {
      expect(identify(compiler)).toBeUndefined();
    });
    expect(isBuilt(partNamed('etcd'), options.cache)).toBe(false);
    expect(existsSync(options.cache) && readdirSync(options.cache)).toEqual([]);
  });
});
