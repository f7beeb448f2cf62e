import { objectsAt, textAt, type JsonObject } from '../../../base/index.ts';

/** The first byte of every message says which stream the rest belongs to. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

/** Best first. v4 is the same without the close channel, so it cannot signal the end of stdin. */
export const V5 = 'v5.channel.k8s.io';
export const PROTOCOLS: readonly string[] = [V5, 'v4.channel.k8s.io'];

export function encodeFrame(channel: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 1);
  frame[0] = channel;
  frame.set(bytes, 1);
  return frame;
}

export const END_OF_STDIN: Uint8Array = Uint8Array.of(CHANNEL.close, CHANNEL.stdin);

/** The exit code in the Status that ends a command; undefined if the command did not run to its end. */
export function exitCodeOf(status: JsonObject): number | undefined {
  if (status['status'] === 'Success') return 0;
  if (status['reason'] !== 'NonZeroExitCode') return undefined;
  const cause = objectsAt(status, 'details', 'causes').find(({ reason }) => reason === 'ExitCode');
  const text = textAt(cause, 'message') ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
