import { isObject, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { badRequest } from '../errors/index.ts';
import { listAt, scalarTextAt } from '../object/index.ts';
import type { Resource } from '../registry/index.ts';

interface Person {
  name: string;
  groups: readonly string[];
}

/** What the reviews need to know of the server. */
export interface ReviewDeps {
  identifyToken(token: string): Person | undefined;
  userUid: string;
}

const GROUPS = ['authentication.k8s.io', 'authorization.k8s.io'];
const REASON = 'the pocket cluster allows everything to everybody it knows';

/** Kinds that are questions: they are answered and not stored. */
export function isReview({ group }: Resource): boolean {
  return GROUPS.includes(group);
}

export function review(
  deps: ReviewDeps,
  { resource }: { resource: Resource },
  body: unknown,
  user: Person,
): JsonObject {
  if (!isObject(body)) throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind})`);
  const asked = {
    ...body,
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { creationTimestamp: null },
  };
  return { ...asked, status: answer(deps, resource.kind, body, user) };
}

function answer(deps: ReviewDeps, kind: string, body: JsonObject, user: Person): JsonObject {
  switch (kind) {
    case 'SelfSubjectReview':
      return { userInfo: userInfo(deps, user) };
    case 'TokenReview': {
      const found = deps.identifyToken(scalarTextAt(body, 'spec', 'token'));
      if (found === undefined) return { authenticated: false, error: 'the token is not known' };
      return { authenticated: true, user: userInfo(deps, found), audiences: [...listAt(body, 'spec', 'audiences')] };
    }
    case 'SelfSubjectRulesReview':
      return {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      };
    default:
      return { allowed: true, reason: REASON };
  }
}

function userInfo(deps: ReviewDeps, { name, groups }: Person): JsonObject {
  return { username: name, uid: deps.userUid, groups: [...groups] };
}
