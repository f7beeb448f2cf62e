import { formatCount } from '../../base/index.ts';
import type { VerifyAnswer } from '../../core/operations/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { askServer, needServer, pathOf } from './find-server.ts';

/** Reads the whole archive again, where it lies, and says whether it is what was written. */
export async function verifyBackup(
  deps: CliDeps,
  name: string,
  flags: ServerFlags & { output?: 'json' | 'yaml' },
): Promise<number> {
  const served = await needServer(deps, flags, 'verifying a backup');
  const { cluster } = served;
  const path = pathOf('backups', { cluster, kind: 'Backup', namespace: flags.namespace, name }, '/verify');
  const answer = (await askServer(served, { method: 'POST', path })) as VerifyAnswer;
  if (flags.output !== undefined) await printDocument(deps.output, answer, flags.output);
  else for (const line of verifyLines(name, answer)) deps.output.line(line);
  return answer.ok ? 0 : 1;
}

export function verifyLines(name: string, answer: VerifyAnswer): string[] {
  const { sha256Expected, sha256Found, entries, problems, warnings = [], ok } = answer;
  const sum =
    sha256Expected === undefined
      ? `sha256 ${sha256Found}; none was recorded to compare it with`
      : sha256Expected === sha256Found
        ? `sha256 matches, ${sha256Found}`
        : `sha256 ${sha256Found}, but ${sha256Expected} was recorded`;
  return [
    `${ok ? '✓' : '✕'} backup/${name}  ${ok ? 'is intact' : 'is damaged'}: ${formatCount(entries)} entries read`,
    `  ${sum}`,
    ...problems.map((problem) => `  ✕ ${problem}`),
    ...warnings.map((warning) => `  ! ${warning}`),
  ];
}
