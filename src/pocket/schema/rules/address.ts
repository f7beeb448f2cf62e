import { isIP } from 'node:net';
import { invalid, type FieldError } from '../field-error.ts';

export function validateIp(ip: string, field: string): FieldError[] {
  return isIP(ip) === 0 ? [invalid(field, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')] : [];
}

/** One that other machines can send to. */
export function validateFarIp(ip: string, field: string): FieldError[] {
  const wrong = validateIp(ip, field);
  if (wrong.length > 0) return wrong;
  const isNear = ip.startsWith('127.') || ip === '::1';
  return isNear ? [invalid(field, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')] : [];
}

export function validateCidr(cidr: string, field: string): FieldError[] {
  const [address = '', bits = '', ...rest] = cidr.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  const isGood = isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest && rest.length === 0;
  return isGood ? [] : [invalid(field, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}
