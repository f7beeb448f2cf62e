/**
 * Containers as processes of this machine: started in namespaces or plainly, entered, signalled and ended.
 * It must never know what a pod is, and never leave a process behind.
 */
export { Pipes } from './pipes.ts';
export { Shepherd } from './shepherd.ts';
export { chooseSandbox, type SandboxChoice } from './choose-sandbox.ts';
export { startFailure } from './start-failure.ts';
export { ownBytes, residentBytes } from './process-tree.ts';
export type { ContainerProcess, ContainerSpec, Conversation, Sandbox } from './sandbox.ts';
export type { Identity, Privilege } from './words.ts';
