import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '../base/index.ts';
import { FakeClock } from '../../test/fake-clock.ts';
import type { CliDeps } from './ports.ts';
import { Printer } from './print/printer.ts';
import { runCli } from './run.ts';

/** Ports that fail when they are used by a command that should not. */
function cli(ports: Partial<CliDeps> = {}) {
  const printed = { out: '', err: '' };
  const unused = () => Promise.reject(new Error('this command must not use that port'));
  const deps: CliDeps = {
    version: '1.2.3',
    nodeVersion: '24.0.0',
    output: new Printer({
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
      isTerminal: false,
      columns: 80,
    }),
    programName: 'headway',
    signal: new AbortController().signal,
    clock: new FakeClock(Date.UTC(2026, 0, 1, 0, 5)),
    cluster: unused,
    connect: unused,
    server: unused,
    download: () => {
      throw new Error('this command must not download');
    },
    readFile: unused,
    previewActions: unused,
    confirm: unused,
    pocket: unused,
    demo: unused,
    serve: unused,
    installer: unused,
    mover: unused,
    ...ports,
  };
  return { printed, run: (...args: string[]) => runCli(args, deps) };
}

describe('headway', () => {
  it('prints its help with every command and the exit codes', async () => {
    const { run, printed } = cli();
    expect(await run('--help')).toBe(0);
    expect(printed.err).toBe('');
    for (const word of ['up', 'pocket', 'version', 'Exit codes:', '130 interrupted'])
      expect(printed.out).toContain(word);
    expect(Math.max(...printed.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(92);
  });

  it('prints hints as this user types the program, so that they can be copied', async () => {
    const hint = 'Start one with: headway server (or headway up); state is in ~/state/headway now';
    const connect = () => Promise.reject(new AppError('unreachable', 'gone', { details: { hint } }));
    const { run, printed } = cli({ programName: 'bin/headway', connect });
    expect(await run('backup', 'get')).toBe(5);
    expect(printed.err).toBe(
      'headway: gone\nStart one with: bin/headway server (or bin/headway up); state is in ~/state/headway now\n',
    );
  });

  it.each([
    [['nonsense']],
    [['pocket']],
    [['pocket', 'up']],
    [['version', '--wrong']],
    [['pocket', 'up', 'x', '--port', 'y']],
    [['pocket', 'status', '-o', 'yaml']],
    [['version', '-o', 'yaml']],
  ])('is told apart from a failure when it is used wrongly: %j', async (args) => {
    const { run } = cli();
    expect(await run(...args)).toBe(2);
  });

  it.each([
    [['nonsense'], "headway: unknown command 'nonsense'\nSee usage with: headway --help\n"],
    [['backup', 'gte'], "headway: unknown command 'gte'\n(Did you mean get?)\nSee usage with: headway backup --help\n"],
    [
      ['schedule', 'create', 's', '--schedule', 'x'],
      "headway: option '--schedule <cron>' argument 'x' is invalid. expected exactly 5 fields, found 1: [x]\n" +
        'See usage with: headway schedule create --help\n',
    ],
  ])('says what is wrong and which help to read: %j', async (args, said) => {
    const { run, printed } = cli();
    expect(await run(...args)).toBe(2);
    expect(printed.err).toBe(said);
  });

  it.each<[ErrorCode, number]>([
    ['invalidConfig', 2],
    ['notFound', 3],
    ['unauthenticated', 4],
    ['forbidden', 4],
    ['unreachable', 5],
    ['timeout', 5],
    ['untrusted', 5],
    ['conflict', 1],
    ['canceled', 130],
  ])('ends with the documented code for %s', async (code, exitCode) => {
    const { run, printed } = cli({
      cluster: () => Promise.reject(new AppError(code, 'what failed', { details: { hint: 'do this' } })),
    });
    expect(await run('version')).toBe(exitCode);
    expect(printed.err).toBe('headway: what failed\ndo this\n');
  });

  it('calls a bug a bug, without a stack trace', async () => {
    const { run, printed } = cli({ cluster: () => Promise.reject(new TypeError('x is not a function')) });
    expect(await run('version')).toBe(1);
    expect(printed.err).toBe(
      'headway: x is not a function\nThis is a bug in Headway; please report it with the command you ran.\n',
    );
  });
});

describe('headway version', () => {
  const cluster = { context: 'context "a" of f', server: 'https://10.0.0.1:6443', version: 'v1.36.3' };

  it('asks no cluster with --client', async () => {
    const { run, printed } = cli();
    expect(await run('version', '--client')).toBe(0);
    expect(printed.out).toBe('Headway    1.2.3\nNode       24.0.0\n');
  });

  it('names the cluster and how it was found', async () => {
    const { run, printed } = cli({ cluster: () => Promise.resolve(cluster) });
    await run('version');
    expect(printed.out).toContain('Cluster    v1.36.3 at https://10.0.0.1:6443 (context "a" of f)\n');
  });

  it('is one JSON object with -o json', async () => {
    const { run, printed } = cli({ cluster: () => Promise.resolve(cluster) });
    await run('version', '-o', 'json');
    expect(JSON.parse(printed.out)).toEqual({ headway: '1.2.3', node: '24.0.0', cluster });
  });
});
