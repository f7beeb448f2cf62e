/**
 * Pods as operations use them: run a command in one, wait for one, say why one does not start.
 * It must never know what a command is for.
 */
export { runCommand, type CommandResult } from './run-command.ts';
export { PodWatch, type WhyNot } from './pod-watch.ts';
export { whyNotUp, type WantedContainer } from './why-not-up.ts';
