import { eventually } from '../eventually.ts';
import type { Answer, Api } from './api.ts';

/** Longer than vitest lets most cases take; pods may, on a busy machine. */
const WITHIN = { withinMs: 50_000 };

/** The 404 answer, once controllers have done their part. */
export async function gone(api: Api, path: string): Promise<number> {
  return await eventually(async () => {
    const { status } = await api.get(path);
    if (status !== 404) throw new Error(`${path} is still there (${status})`);
    return status;
  }, WITHIN);
}

/** The first answer that fits, once controllers have done their part. */
export async function until(api: Api, path: string, fits: (answer: Answer) => boolean): Promise<Answer> {
  return await eventually(async () => {
    const answer = await api.get(path);
    if (!fits(answer)) throw new Error(`${path} does not fit yet: ${JSON.stringify(answer.body)}`);
    return answer;
  }, WITHIN);
}
