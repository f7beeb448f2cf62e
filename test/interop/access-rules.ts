import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Access } from './audit-log.ts';

interface Role {
  kind: string;
  metadata: { name: string };
  rules: { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }[];
}

/** One verb on one resource: the smallest thing that can be taken away from a role. */
export interface Right {
  role: string;
  isNamespaced: boolean;
  group: string;
  resource: string;
  verb: string;
  resourceNames?: string[];
}

/** What a manifest grants, right by right. */
export function rightsIn(file: string): Right[] {
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Role);
  return objects
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
    .flatMap(({ kind, metadata, rules }) =>
      rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            verbs.map((verb) => ({
              role: metadata.name,
              isNamespaced: kind === 'Role',
              ...{ group, resource, verb },
              ...(resourceNames === undefined ? {} : { resourceNames }),
            })),
          ),
        ),
      ),
    );
}

export function nameOf({ role, group, resource, verb }: Right): string {
  return `${role}: ${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}

/** As Kubernetes' RBAC decides, for roles in namespace velero. */
function allows(right: Right, { verb, group, resource, subresource, namespace, name }: Access): boolean {
  if (right.isNamespaced && namespace !== 'velero') return false;
  if (right.resourceNames !== undefined && !right.resourceNames.includes(name)) return false;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return right.verb === verb && [group, '*'].includes(right.group) && [full, '*'].includes(right.resource);
}

/** What was done that these rights do not allow. */
export function beyond(rights: readonly Right[], done: readonly Access[]): Access[] {
  return done.filter((access) => !rights.some((right) => allows(right, access)));
}

/** What was done that this right alone allows, among all that are given. */
export function onlyBy(right: Right, all: readonly Right[], done: readonly Access[]): Access | undefined {
  const others = all.filter((other) => other !== right);
  return done.find((access) => allows(right, access) && !others.some((other) => allows(other, access)));
}
