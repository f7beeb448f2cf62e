import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './ask.ts';
import { programPath } from './cache.ts';
import { launch, updateState, waitFor, type Workplace } from './launch.ts';
import { partNamed } from './parts.ts';
import { reservePort } from './ports.ts';
import type { S3Facts } from './state.ts';

const READY_MS = 30_000;

/** An S3 server over a directory, with one empty bucket. */
export async function startS3(place: Workplace, host = '127.0.0.1'): Promise<S3Facts> {
  const address = `${host}:${await reservePort()}`;
  const facts: S3Facts = {
    endpoint: `http://${address}`,
    region: 'us-east-1',
    accessKey: `bed${randomBytes(8).toString('hex')}`,
    secretKey: randomBytes(20).toString('hex'),
    bucket: 'headway',
    directory: join(place.directory, 's3'),
  };
  // To this server a bucket is a directory.
  mkdirSync(join(facts.directory, facts.bucket), { recursive: true });
  const server = launch(place, {
    name: 's3',
    program: programPath(partNamed('versitygw')),
    args: ['--port', address, '--region', facts.region, 'posix', facts.directory],
    env: { ROOT_ACCESS_KEY: facts.accessKey, ROOT_SECRET_KEY: facts.secretKey },
  });
  await waitFor(place, server, {
    what: 'any answer',
    timeoutMs: READY_MS,
    missing: async () => ((await ask(facts.endpoint)) === undefined ? 'no answer' : undefined),
  });
  updateState(place.directory, (state) => {
    state.s3 = facts;
  });
  return facts;
}
