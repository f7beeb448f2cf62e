import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * Whom limits by address are for. The last half of an IPv6 address is the caller's own to choose, so it does not count.
 * Headers that a proxy may have added do not count either: anybody can send them.
 */
export function addressOf({ socket }: IncomingMessage): string {
  return networkOf(socket.remoteAddress ?? '');
}

export function networkOf(address: string): string {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address) || address === '::1') return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const [left, right] = [head, tail].map((part) => (part ?? '').split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [...(left ?? []), ...Array.from({ length: zeros }, () => '0'), ...(right ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
