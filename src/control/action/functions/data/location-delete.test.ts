import { expect, it } from 'vitest';
import { AppError } from '../../../../base/index.ts';
import type { FunctionContext } from '../function.ts';
import { LocationDelete } from './location-delete.ts';

const location = { type: 'headway.io/fs', bucket: 'bucket', prefix: 'p/q', endpoint: '/stores' };
const REACHED = new AppError('invalid', 'it would be deleted');

function exec(artifact: string): Promise<unknown> {
  const context = {
    args: { text: () => artifact },
    profile: () => ({ json: JSON.stringify({ Location: location }), profile: { location } }),
    namespace: 'shop',
    pods: {
      run: () => Promise.reject(REACHED),
    },
  };
  return new LocationDelete(context as unknown as FunctionContext).exec(new AbortController().signal);
}

it.each(['', 'bucket', 'bucket/..', '.', 'x/..', '../q', 'bucket/x/y/../..', 'x/../..', '../../p'])(
  'never deletes the whole location, which %j means',
  async (artifact) => {
    await expect(exec(artifact)).rejects.toThrow('means the whole location, which is never deleted');
  },
);

it.each(['x', 'bucket/x', '../qq', 'x/../y'])('deletes %j', async (artifact) => {
  await expect(exec(artifact)).rejects.not.toThrow('the whole location');
});
