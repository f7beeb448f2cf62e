import { badRequest } from '../errors/index.ts';

/** A whole number of the query; undefined when it is not there or empty. Anything else is a 400 in Go's words. */
export function wholeNumberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text.slice(0, 100))}: invalid syntax`);
}
