import { dirname, join } from 'node:path';
import { isBuilt, programPath } from './cache.ts';
import { PARTS } from './parts.ts';
import { isAlive } from './processes.ts';
import { type BedState, readState } from './state.ts';
import { bedNames, isStale } from './tenure.ts';

/** What `status` shows: one block per bed, keys left out. */
export function bedStatus(home: string, only?: string): string[] {
  return bedNames(home)
    .filter((name) => only === undefined || name === only)
    .flatMap((name) => {
      const directory = join(home, name);
      const state = readState(directory);
      if (state === undefined) return [`${name}: unreadable, in ${directory}`];
      return [`${name}: ${health(state)}, in ${directory}`, ...contents(state), ...processes(state)];
    });
}

/** Shell exports for one bed; standard names, so that kubectl, velero, kopia, restic and AWS tools just work. */
export function bedEnvironment(home: string, name: string): string[] {
  const state = readState(join(home, name));
  if (state?.phase !== 'up') throw new Error(`print the environment of bed ${name}: it is not up`);
  const folders = PARTS.filter((part) => isBuilt(part)).map((part) => dirname(programPath(part)));
  const { s3 } = state;
  const variables = {
    ...(state.clusters.length > 0 && { KUBECONFIG: join(home, name, 'kubeconfig') }),
    ...(s3 && {
      AWS_ENDPOINT_URL: s3.endpoint,
      AWS_REGION: s3.region,
      AWS_ACCESS_KEY_ID: s3.accessKey,
      AWS_SECRET_ACCESS_KEY: s3.secretKey,
      BED_S3_BUCKET: s3.bucket,
    }),
  };
  return [
    ...Object.entries(variables).map(([key, value]) => `export ${key}=${quote(value)}`),
    `export PATH=${quote(folders.join(':'))}:"$PATH"`,
  ];
}

function health(state: BedState): string {
  if (isStale(state)) return 'stale, the next up cleans it';
  if (state.phase === 'starting') return 'starting';
  return state.processes.every(isAlive) ? 'up' : 'broken, some processes are gone';
}

function contents(state: BedState): string[] {
  return [
    ...state.clusters.map(({ name, server, node }) => `  context ${name}  ${server}${node ? '  with a node' : ''}`),
    ...(state.s3 ? [`  s3 ${state.s3.endpoint}  bucket ${state.s3.bucket}`] : []),
  ];
}

function processes(state: BedState): string[] {
  return state.processes.map((one) => {
    return `  ${isAlive(one) ? 'running' : 'gone   '}  ${String(one.pid).padStart(7)}  ${one.name}  ${one.log}`;
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
