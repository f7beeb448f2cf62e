/**
 * Regular expressions in Go's syntax that run in linear time: a parser, a compiler, and a machine that runs the
 * program. They only answer whether a text matches; groups capture nothing.
 */
export { compileGoPattern, type GoPattern } from './go-pattern.ts';
