import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError, toAppError } from '../../base/index.ts';
import type { SessionAnswer, SessionCluster } from '../../core/operations/index.ts';
import { audited } from '../audit.ts';
import type { Caller } from '../auth/callers.ts';
import type { Context } from '../context.ts';
import type { ClusterPort } from '../ports.ts';
import { SessionSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const LoginBody = z.strictObject({ token: z.string().min(1), cluster: z.string().min(1) });

export function sessionRoutes(context: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/session',
      summary: 'Who you are in each cluster, and what a change must carry',
      answer: SessionSchema,
      handle: async ({ caller }) => ({ json: await sessionOf(context, caller) }),
    }),
    route({
      method: 'POST',
      path: '/api/login',
      summary: 'Log in to a cluster with one of its tokens; a cookie keeps it from then on',
      body: LoginBody,
      answer: SessionSchema,
      handle: async ({ body, caller, request }) => {
        const { token, cluster } = body as unknown as z.infer<typeof LoginBody>;
        const deed = { action: 'login', cluster, address: request.socket.remoteAddress } as const;
        const login = await audited(context.audit, deed, async () => {
          const made = context.callers.loginTo(cluster, token, caller.address);
          await context.rights.of(made);
          return made;
        });
        const cookies = context.cookies.write(caller.session, [{ cluster, token }]);
        const logins = new Map([...caller.logins, [cluster, login] as const]);
        // The CSRF token comes with the next look at the session, when the cookie is there.
        return { headers: { 'set-cookie': cookies }, json: await sessionOf(context, { ...caller, logins }) };
      },
    }),
    route({
      method: 'GET',
      path: '/login',
      summary: 'Log in with a one-time link',
      status: 303,
      isOpen: true,
      query: z.object({ code: z.string() }),
      handle: async ({ query, caller, request }) => {
        refuseEmbedded(request);
        // A program that only looks where a link leads must not use it up.
        if (request.method === 'HEAD') return { headers: { location: '/' } };
        const clusters = context.clusters.filter(({ login }) => login === 'link').map(({ name }) => name);
        const deed = { action: 'login', cluster: clusters.join(','), address: request.socket.remoteAddress } as const;
        try {
          await audited(context.audit, deed, () => {
            useLink(context, query.code, caller.address);
            return Promise.resolve();
          });
        } catch (error) {
          // A person sees the page, which knows whether they are logged in already and says what to do if not.
          if (!/\btext\/html\b/.test(request.headers.accept ?? '')) throw error;
          const why = toAppError(error).details?.['isUsed'] === true ? 'used' : 'refused';
          return { headers: { location: `/?login=${why}` } };
        }
        const cookies = context.cookies.write(
          undefined,
          clusters.map((cluster) => ({ cluster })),
        );
        return { headers: { location: '/', 'set-cookie': cookies } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/logout',
      summary: 'End the session',
      status: 204,
      handle: async ({ caller, request }) => {
        const { session } = caller;
        if (session === undefined) return {};
        const address = request.socket.remoteAddress;
        const cluster = session.logins.map((login) => login.cluster).join(',');
        const cookies = await audited(context.audit, { action: 'logout', cluster, address }, () =>
          Promise.resolve(context.cookies.end(session)),
        );
        return { headers: { 'set-cookie': cookies } };
      },
    }),
  ];
}

/** Nobody guesses a code of 128 bits, so that wrong ones cost only log lines. The right one is taken at any time. */
function useLink({ loginLinks, wrongCodes }: Context, code: string, address: string): void {
  const outcome = loginLinks.use(code);
  if (outcome === 'taken') return;
  wrongCodes.take(address);
  const isUsed = outcome === 'used';
  const why = isUsed ? 'it has already been used' : 'this server did not issue it, or issued it before its last start';
  throw new AppError('unauthenticated', `log in with this link: ${why}`, {
    details: { isUsed, hint: 'Use the newest link in the terminal where Headway runs' },
  });
}

/** A link is opened by a person, not loaded by a page of somebody else as an image or a frame. */
function refuseEmbedded({ headers }: IncomingMessage): void {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (site === 'none' || site === 'same-origin' || (mode === 'navigate' && dest === 'document')) return;
  throw new AppError('forbidden', 'log in with this link: another site tries to load it');
}

async function sessionOf(context: Context, caller: Caller): Promise<SessionAnswer> {
  const clusters = await Promise.all(context.clusters.map((cluster) => clusterOf(context, caller, cluster)));
  const { session } = caller;
  return {
    version: context.version,
    ...(session === undefined ? {} : { csrf: context.cookies.csrfOf(session) }),
    clusters,
  };
}

async function clusterOf(context: Context, caller: Caller, cluster: ClusterPort): Promise<SessionCluster> {
  const login = caller.logins.get(cluster.name);
  // Not being taken is an answer here, not a failure: the page then shows how to log in.
  const rights = login === undefined ? undefined : await context.rights.of(login).catch(() => undefined);
  const problem = cluster.problem?.();
  return {
    name: cluster.name,
    login: cluster.login,
    namespace: cluster.namespace,
    isWatched: problem === undefined && cluster.isReady() && cluster.unseenSince() === undefined,
    ...(rights === undefined
      ? {}
      : { user: rights.user, groups: cluster.groups(), ...(problem === undefined ? {} : { problem }) }),
  };
}
