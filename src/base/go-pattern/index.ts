/**
 * Regular expressions in Go's syntax that run in linear time: a parser, a compiler, a machine that answers whether a
 * text matches, and a slower one that finds where, and what the groups captured.
 */
export { compileGoPattern, type GoPattern } from './go-pattern.ts';
export type { PatternMatch } from './searcher.ts';
