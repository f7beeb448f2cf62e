import { z } from 'zod';
import { AppError } from '../../base/index.ts';
import { sightOf } from '../auth/sight.ts';
import type { Context } from '../context.ts';
import { openApiDocument } from './openapi.ts';
import { route, type Route } from './route.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

export function systemRoutes(context: Context, others: readonly Route[]): Route[] {
  let document: object | undefined;
  const routes: Route[] = [
    route({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process answers',
      produces: 'text/plain',
      isOpen: true,
      handle: () => Promise.resolve({ headers: TEXT, text: 'ok\n' }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Whether every cluster was seen',
      produces: 'text/plain',
      isOpen: true,
      handle: () => {
        // One that cannot be served must not take those away that are; the page says what is in its way.
        const waiting = context.clusters.filter((cluster) => !cluster.isReady() && cluster.problem?.() === undefined);
        const missing = waiting.length;
        if (missing === 0) return Promise.resolve({ headers: TEXT, text: 'ok\n' });
        // Without names: whoever probes need not be anybody we know.
        return Promise.resolve({
          status: 503,
          headers: TEXT,
          text: `waiting for ${missing} ${missing === 1 ? 'cluster' : 'clusters'}\n`,
        });
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Numbers for Prometheus',
      produces: 'text/plain',
      handle: async ({ caller }) => {
        const { rights } = await sightOf(caller, context.rights);
        // Progress of every cluster is in there, so one that lets the caller in is not enough.
        const isAllowed = context.clusters.every(({ name }) => rights.get(name)?.mayScrape === true);
        if (!isAllowed)
          throw new AppError('forbidden', 'read /metrics: you may not get /metrics in every cluster served');
        const text = await context.metrics.render(context.tree, context.clock.now());
        return { headers: { 'content-type': context.metrics.contentType }, text };
      },
    }),
    route({
      method: 'GET',
      path: '/download/:token',
      summary: 'One file of a location, by a link that the server made',
      produces: 'application/octet-stream',
      isOpen: true,
      handle: ({ params, signal }) => context.downloads.serve(params['token'] ?? '', signal),
    }),
    route({
      method: 'GET',
      path: '/api/proof',
      summary: 'Proof that this is the server that wrote its record on this machine',
      query: z.object({ nonce: z.string().regex(/^[\w-]{20,100}$/) }),
      answer: z.strictObject({ proof: z.string() }),
      isOpen: true,
      handle: ({ query }) => {
        if (context.prove === undefined)
          throw new AppError('notFound', 'prove who this is: no record names this server');
        return Promise.resolve({ json: { proof: context.prove(query.nonce) } });
      },
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      summary: 'This document',
      isOpen: true,
      handle: () => Promise.resolve({ json: (document ??= openApiDocument([...others, ...routes], context.version)) }),
    }),
  ];
  return routes;
}
