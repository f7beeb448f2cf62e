import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a user did: a request as Kubernetes' authorizers see it. */
export interface Access {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

interface AuditEvent {
  verb: string;
  user: { username: string };
  objectRef?: Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>>;
  annotations?: Record<string, string>;
}

/** A kube-apiserver's own record of who asked for what, and how it decided. */
export class AuditLog {
  readonly flags: readonly string[];
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'audit.log');
    const policy = join(directory, 'audit-policy.yaml');
    const rules = '{ level: Metadata, userGroups: ["system:serviceaccounts:velero"] }, { level: None }';
    writeFileSync(
      policy,
      `apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [${rules}]\n`,
    );
    this.flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${this.#file}`];
  }

  /** Each different request once; requests for paths that are no resource are left out, everybody may discover. */
  of(username: string, decision: 'allow' | 'forbid'): Access[] {
    const lines = readFileSync(this.#file, 'utf8').trim().split('\n');
    const found = new Map<string, Access>();
    for (const event of lines.map((line) => JSON.parse(line) as AuditEvent)) {
      const { objectRef: at, annotations } = event;
      if (event.user.username !== username || at?.resource === undefined) continue;
      if (annotations?.['authorization.k8s.io/decision'] !== decision) continue;
      const access = {
        verb: event.verb,
        group: at.apiGroup ?? '',
        resource: at.resource,
        subresource: at.subresource ?? '',
        namespace: at.namespace ?? '',
        name: at.name ?? '',
      };
      found.set(JSON.stringify(access), access);
    }
    return [...found.values()];
  }
}
