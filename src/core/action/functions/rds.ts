import { declare, type FunctionDeclaration } from './declaration.ts';

const DOCS: Readonly<Record<string, string>> = {
  CreateRDSSnapshot: 'Takes a snapshot of an RDS instance.',
  ExportRDSSnapshotToLocation: 'Dumps a snapshot of an RDS instance into the location.',
  RestoreRDSSnapshot: 'Restores an RDS instance.',
  DeleteRDSSnapshot: 'Deletes a snapshot of an RDS instance.',
};
const unsupported = 'Headway does not speak to the database services of AWS; use KubeTask with the aws command line';

/** Known, so that a Blueprint which uses them is told so, and not that they do not exist. What they take does not matter. */
export const RDS: readonly FunctionDeclaration[] = Object.entries(DOCS).map(([name, doc]) =>
  declare(name, doc, {}, { unsupported }),
);
