/**
 * The command line: one file per command, over ports that the composition root passes in.
 * It must never read the environment, open a file or build a client by itself.
 */
export { helpTexts, runCli } from './run.ts';
export { LiveLines } from './print/live-lines.ts';
export { podsLines } from './print/pods-lines.ts';
export { Printer, type Output } from './print/printer.ts';
export { printRows } from './print/rows.ts';
export { progressLine, progressParts } from './print/progress-line.ts';
export type {
  CliDeps,
  ClusterChoice,
  ClusterInfo,
  ClusterSession,
  Demo,
  DemoOptions,
  InClusterOptions,
  Installer,
  InstallOptions,
  PocketControl,
  PocketOptions,
  PocketStart,
  PocketStatus,
  ServeOptions,
  ServerApi,
  ServerRequest,
} from './ports.ts';
