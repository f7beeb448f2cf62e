import { whereText, type Where } from '../arguments/where.ts';

/**
 * Something that is wrong with a Blueprint, or with an ActionSet that uses it. What stops the run is told before
 * anything is done. Some mistakes upstream finds only when their phase has its turn: there what is before them has run,
 * and users rely on it. The rest is likely a mistake, and stops nothing.
 */
export interface Problem {
  where: Where;
  message: string;
  stops: 'run' | 'phase' | 'nothing';
}

export function problemText({ where, message }: Problem): string {
  const place = whereText(where);
  return place === '' ? message : `${place}: ${message}`;
}
