import { isIPv4, isIPv6 } from 'node:net';
import { base64Error } from './base64-error.ts';

const UUID = (version: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i');
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/;
const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const LOOSE_DURATION =
  /^(?:(?:\d+(?:\.\d+)?|\.\d+)\s*(?:ns|us|µs|ms|s|m|h|d|w|nanos?(?:econds?)?|micros?(?:econds?)?|millis?(?:econds?)?|sec(?:onds?)?|min(?:utes?)?|hours?|hrs?|days?|weeks?)\s*)+$/;
const HOSTNAME = /^(?=.{1,255}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(match[3]);
}

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (!match) return false;
  const [, date = '', hour, minute, second] = match;
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const max = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  return rest.length === 0 && bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= max;
}

/** An absolute path or an absolute URL, as Go's ParseRequestURI wants it. */
function isRequestUri(text: string): boolean {
  return text.startsWith('/') ? !/[\s\x00-\x1f]/.test(text) : /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text);
}

/** Formats that no Kubernetes schema uses (credit cards, book numbers, colors, …) are taken for good. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => text !== '' && base64Error(text) === undefined,
  cidr: isCidr,
  date: isDate,
  datetime: isDateTime,
  duration: (text) => GO_DURATION.test(text) || LOOSE_DURATION.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  hostname: (text) => HOSTNAME.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text),
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text),
  mac: (text) => /^(?:[0-9a-f]{2}[:-]){5}(?:[0-9a-f]{2})$/i.test(text),
  uri: isRequestUri,
  uuid: (text) => UUID('[0-9a-f]').test(text),
  uuid3: (text) => UUID('3').test(text),
  uuid4: (text) => UUID('4').test(text),
  uuid5: (text) => UUID('5').test(text),
};

export function matchesFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '');
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  return check?.(text) ?? true;
}
