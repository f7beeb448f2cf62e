import { AppError } from '../../base/index.ts';
import { readProfile, type KandoCommand } from '../../core/action/index.ts';
import { openStore, withPatience, type Store } from '../../edge/store/index.ts';
import type { KandoDeps } from './deps.ts';
import { drain, fileSource } from './streams.ts';
import { TransferNotes } from './transfer-notes.ts';

type LocationCommand = Extract<KandoCommand, { kind: 'push' | 'pull' | 'delete' }>;

/** Puts into, gets from or deletes in the location of a Profile. */
export async function runLocation(command: LocationCommand, deps: KandoDeps): Promise<void> {
  const { store: location, key } = readProfile(command.profile, command.path);
  if (key === '') throw new AppError('usage', 'Please provide the --path flag: the Profile has no prefix either');
  const { root, ...where } = location;
  const opened = await openStore(where, { log: deps.log, env: deps.env, ...(root !== undefined && { fsRoot: root }) });
  const notes = new TransferNotes(deps);
  const store = withPatience(opened, {
    clock: deps.clock,
    log: deps.log,
    onWaiting: (cause) => {
      notes.waiting(cause.message);
    },
  });
  try {
    await transfer(store, { command, key, notes }, deps);
  } finally {
    notes.stop();
    store.close();
  }
}

interface Transfer {
  command: LocationCommand;
  key: string;
  notes: TransferNotes;
}

async function transfer(store: Store, { command, key, notes }: Transfer, deps: KandoDeps): Promise<void> {
  const { signal } = deps;
  if (command.kind === 'delete') {
    await deleteBelow(store, key, signal);
    return;
  }
  if (command.kind === 'push') {
    const source = command.source === '-' ? (deps.input as AsyncIterable<Uint8Array>) : fileSource(command.source);
    await store.put(key, source, {
      signal,
      onProgress: (bytes) => {
        notes.moved('sent', bytes);
      },
    });
    return;
  }
  const { body } = await store.get(key, { signal });
  const target = command.target === '-' ? deps.output : command.target;
  await drain(notes.counting(body), target, signal);
}

/** The object, and everything below it as a folder; not what merely begins with the same letters. */
async function deleteBelow(store: Store, key: string, signal: AbortSignal): Promise<void> {
  await store.delete(key, { signal });
  const keys: string[] = [];
  for await (const { key: found } of store.list(`${key}/`, { signal })) keys.push(found);
  for (const found of keys) await store.delete(found, { signal });
}
