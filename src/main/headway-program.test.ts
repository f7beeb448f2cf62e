import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtProgram } from './built/program.ts';
import { headwayProgram } from './headway-program.ts';
import { ROOT } from './root.ts';

const TALKATIVE = "console.log('loaded');process.on('exit',()=>console.log('over'))";

it('gives pods the bundle of these very sources, with what they start', { timeout: 120_000 }, async () => {
  const made = await builtProgram(ROOT, { signal: AbortSignal.timeout(100_000) });
  expect(headwayProgram().bundle).toBe(made);
  const mover = spawnSync(process.execPath, [join(made, 'mover.js'), 'mover', '/no/job.json']);
  expect(JSON.parse(mover.stderr.toString())).toMatchObject({ line: 'failed', code: 'invalidConfig' });
  expect(mover.status).toBe(2);
  // It starts with every volume: one small file, and nothing of what only servers need.
  const moverText = readFileSync(join(made, 'mover.js'), 'utf8');
  expect(moverText).not.toMatch(/(?:from|import\()\s*["']\.\//);
  expect(moverText.length).toBeLessThan(200_000);
  // Two bytes for each of its characters, if one of them is beyond Latin-1, for as long as a server runs.
  for (const file of readdirSync(made)) {
    expect(readFileSync(join(made, file), 'utf8'), file).not.toMatch(/[^\0-\x7f]/);
  }
  const kando = spawnSync(process.execPath, [join(made, 'kando.js'), 'unheard-of']);
  expect(kando.stderr.toString()).toContain('unheard-of');
});

it('strips no types in the process of a server, which would keep 12 MB for it', { timeout: 120_000 }, async () => {
  await builtProgram(ROOT, { signal: AbortSignal.timeout(100_000) });
  const stripper = `process.moduleLoadList.some((name) => name.includes('amaro'))`;
  const told = `data:text/javascript,process.on('exit', () => process.stdout.write(' stripped: ' + ${stripper}))`;
  const run = (env: NodeJS.ProcessEnv): string => {
    const args = ['--import', told, join(ROOT, 'bin/headway.js'), 'server', '--help'];
    // Else the result of an earlier start is there.
    return spawnSync(process.execPath, args, { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', ...env } })
      .stdout.toString()
      .trim();
  };
  expect(run({})).toMatch(/Usage: \S+ server[^]* stripped: false$/);
  expect(run({ HEADWAY_SOURCES: '1' })).toMatch(/stripped: true$/);
  // What finds the bundle is another process, in which others may have something to say.
  expect(run({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TALKATIVE)}` })).toMatch(
    /^loaded[^]*Usage: \S+ server/,
  );
});
