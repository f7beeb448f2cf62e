/** What must hold of the packages we depend on, read from the lockfile and from what `npm audit` says. */

export interface Lockfile {
  packages: Readonly<Record<string, { resolved?: string; integrity?: string; hasInstallScript?: boolean }>>;
}

/** Packages that may run a program when they are installed, each with the reason. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {};

export function lockfileProblems({ packages }: Lockfile, allowed = INSTALL_SCRIPTS): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, integrity, hasInstallScript }]) => {
    // The first entry is this package itself.
    if (path === '') return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [
      ...(integrity === undefined ? [`${path} has no integrity: anything could come under its name`] : []),
      ...(resolved === undefined ? [] : [`${path} comes from one place only: ${resolved}`]),
      ...(hasInstallScript === true && !Object.hasOwn(allowed, name)
        ? [
            `${path} runs a program when it is installed; INSTALL_SCRIPTS in scripts/dependencies.ts names those that may`,
          ]
        : []),
    ];
  });
}

interface AuditReport {
  message?: string;
  error?: { summary?: string };
  metadata?: { vulnerabilities: Readonly<Record<string, number>> };
  vulnerabilities?: Readonly<Record<string, { severity: string }>>;
}

export type Verdict = { kind: 'fine' } | { kind: 'bad'; packages: string[] } | { kind: 'skipped'; why: string };

/** What `npm audit --json` printed. A registry that is away, or has no such service, says nothing about our packages. */
export function auditVerdict(printed: string): Verdict {
  let report: AuditReport;
  try {
    report = JSON.parse(printed) as AuditReport;
  } catch {
    return { kind: 'skipped', why: `npm audit printed no JSON: ${printed.trim().slice(0, 200) || 'nothing at all'}` };
  }
  if (report.metadata === undefined) {
    const said = report.message ?? report.error?.summary;
    // The address is the registry's, which is nobody's business in a log.
    return {
      kind: 'skipped',
      why: `the registry does not audit: ${said?.replaceAll(/ *\S+:\/\/\S+/g, '') ?? 'no reason'}`,
    };
  }
  const bad = Object.entries(report.vulnerabilities ?? {})
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity }]) => `${name} (${severity})`);
  return bad.length === 0 ? { kind: 'fine' } : { kind: 'bad', packages: bad };
}
