import { z } from 'zod';
import { AppError } from '../../base/index.ts';
import { adapterFor, hasVerb, parseOperationId } from '../../core/operations/index.ts';
import type { Store } from '../../edge/store/index.ts';
import { storeOf } from '../backups/stored-files.ts';
import { volumeFilesOf, volumesOf } from '../backups/volume-contents.ts';
import { mustMayDownload, operationFor, takerOf, type Context } from '../context.ts';
import { route, type Call, type Route } from './route.ts';
import { VolumeFilesSchema, VolumesSchema } from './schemas/index.ts';

const FilesQuery = z.object({
  volume: z.string().min(1).max(520).describe('Its id, or its claim as `namespace/name`'),
  q: z.string().max(200).optional().describe('Part of the path'),
  limit: z.coerce.number().int().min(1).max(50_000).default(1000),
  continue: z.coerce.number().int().min(0).optional(),
});

type Found = Awaited<ReturnType<typeof operationFor>>;

/** An id as movers have them, which may be as long as names can be. */
function listId(volume: string, unique: string): string {
  return `${volume.slice(0, 200).replace(/[.-]+$/, '')}-${unique}`;
}

/** The volumes of a backup and their files. */
export function volumeRoutes(context: Context): Route[] {
  const look = async <T>(
    { caller, params, signal }: Pick<Call, 'caller' | 'params' | 'signal'>,
    act: (store: Store, backup: string, found: Found) => Promise<T>,
  ): Promise<T> => {
    const { id = '' } = params;
    if (!hasVerb(adapterFor(parseOperationId(id).kind), 'contents')) {
      throw new AppError('usage', `look into ${id}: only backups have volumes`);
    }
    const found = await operationFor(context, caller, id);
    mustMayDownload(found);
    const read = async (): Promise<T> => {
      using opened = await storeOf(found.cluster, context.tree, found.entry, signal);
      return await act(opened.store, found.entry.operation.ref.name, found);
    };
    return await context.looks.run(takerOf(found), read, signal);
  };
  return [
    route({
      method: 'GET',
      path: '/api/backups/:id/volumes',
      summary: 'The volumes whose data is in a backup',
      answer: VolumesSchema,
      handle: async (call) => ({ json: await look(call, (store, backup) => volumesOf(store, backup, call.signal)) }),
    }),
    route({
      method: 'GET',
      path: '/api/backups/:id/volumes/files',
      summary: 'The files of one volume of a backup',
      query: FilesQuery,
      answer: VolumeFilesSchema,
      handle: async (call) => {
        const { volume, ...query } = call.query;
        const { signal } = call;
        const list = (store: Store, backup: string, { cluster }: Found) =>
          volumeFilesOf(
            store,
            { backup, volume, query },
            ({ id: of, namespace: repositoryNamespace, snapshot: snapshotID }) => {
              const key = JSON.stringify([cluster.name, store.where, repositoryNamespace, snapshotID]);
              return context.listings.look(
                key,
                ({ id, maxBytes, ...rest }) => {
                  const listed = { backup, id: listId(of, id), repositoryNamespace, snapshotID, maxBytes };
                  return cluster.planner.listVolume(listed, rest);
                },
                query,
                signal,
              );
            },
            signal,
          );
        return { json: await look(call, list) };
      },
    }),
  ];
}
