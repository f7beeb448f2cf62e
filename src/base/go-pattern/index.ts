/**
 * Regular expressions in Go's syntax that take linear time: a parser, a program of it, and a machine that runs it.
 * They answer only whether a text matches; what a group took is not kept.
 */
export { compileGoPattern, type GoPattern } from './go-pattern.ts';
