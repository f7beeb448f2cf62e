import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';
import type { Typed } from './typed-data.ts';

export interface Question {
  template: string;
  data: Typed | { t: 'params'; v: unknown };
  missing: 'error' | 'zero' | 'invalid';
  plain?: boolean;
}

export interface Answer {
  text?: string;
  kind?: 'parse' | 'run';
  problem?: string;
}

/** Some functions of sprig fill memory faster than any clock ends them: beyond this Go gives up instead of the machine. */
const MEMORY_KIB = 2 * 1024 * 1024;
/** It ends itself after 20 s in one template; this is for all of them. */
const ALL_MS = 300_000;

/** What Go makes of templates: one process answers all of them. */
export async function askGo(questions: readonly Question[]): Promise<Answer[]> {
  const bounded = `ulimit -v ${String(MEMORY_KIB)} && exec "$0"`;
  const judge = spawn('/bin/sh', ['-c', bounded, programPath(partNamed('template-judge'))], {
    env: { TZ: 'UTC', GOMEMLIMIT: '1GiB', GOMAXPROCS: '2' },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(ALL_MS),
    killSignal: 'SIGKILL',
  });
  // How it ended is told by its exit code.
  judge.stdin.on('error', () => undefined);
  let said = '';
  judge.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 500)));
  const ended = once(judge, 'close') as Promise<[number | null]>;
  const answers: Answer[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: judge.stdout })) {
      // A judge that crashed leaves half an answer.
      if (line.endsWith('}')) answers.push(JSON.parse(line) as Answer);
    }
  })();
  for (const question of questions) {
    // One that has ended reads no more.
    if (!judge.stdin.write(`${JSON.stringify(question)}\n`)) await Promise.race([once(judge.stdin, 'drain'), ended]);
    if (judge.exitCode !== null) break;
  }
  judge.stdin.end();
  await reading;
  const [code] = await ended;
  if (code !== 0 || answers.length !== questions.length) {
    throw new Error(`the judge ended with ${code} after ${answers.length} of ${questions.length} answers: ${said}`);
  }
  return answers;
}
