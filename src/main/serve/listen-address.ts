import { AppError } from '../../base/index.ts';

/** `127.0.0.1:7443`, `[::1]:7443`, `localhost:0`. */
export function parseListen(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  if (host === undefined || host === '' || !(port <= 65_535)) {
    throw new AppError('usage', `--listen: expected HOST:PORT such as 127.0.0.1:7443, got ${JSON.stringify(text)}`);
  }
  return { host, port };
}
