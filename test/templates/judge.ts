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

/** What Go makes of templates: one process answers all of them. */
export async function askGo(questions: readonly Question[]): Promise<Answer[]> {
  const judge = spawn(programPath(partNamed('template-judge')), {
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(600_000),
  });
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
    if (!judge.stdin.write(`${JSON.stringify(question)}\n`)) await once(judge.stdin, 'drain');
  }
  judge.stdin.end();
  await reading;
  const [code] = await ended;
  if (code !== 0 || answers.length !== questions.length) {
    throw new Error(`the judge ended with ${code} after ${answers.length} of ${questions.length} answers: ${said}`);
  }
  return answers;
}
