/**
 * The OpenAPI v3 documents of what is served, built when first asked for, and a v2 document that says nothing.
 * They must never hold more than one document per group and version.
 */
export { createOpenApi, type OpenApi } from './open-api.ts';
export { openApiV2 } from './open-api-v2.ts';
export type { OpenApiResource } from './resource.ts';
