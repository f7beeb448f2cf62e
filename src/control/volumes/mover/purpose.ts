/** What the label of movers' pods and Secrets says. */
export const MOVER_PURPOSE = 'mover';
