import { z } from 'zod';
import { ErrorSchema } from './schemas/index.ts';
import type { Route } from './route.ts';

/** The routes as an OpenAPI 3.0 document. */
export function openApiDocument(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Headway', version, description: 'Backups, restores and how far they are.' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorSchema) },
    },
    security: [{ bearer: [] }],
  };
}

function operationOf(route: Route): object {
  const failed = { $ref: '#/components/schemas/Error' };
  return {
    summary: route.summary,
    ...(route.isOpen === true ? { security: [] } : {}),
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body) } } } }),
    responses: {
      default: { description: 'Why not', content: { 'application/json': { schema: failed } } },
      [String(route.status ?? 200)]: { description: route.summary, ...contentOf(route) },
    },
  };
}

function contentOf({ produces, answer }: Route): object {
  if (produces !== undefined) return { content: { [produces]: { schema: { type: 'string' } } } };
  return answer === undefined ? {} : { content: { 'application/json': { schema: schemaOf(answer) } } };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}
