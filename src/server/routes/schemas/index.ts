/**
 * The answers of core/operations/answers once more, as the OpenAPI document needs them; each file has its namesake there.
 * Tests read what the server really answers with these, so that both say the same.
 */
export { BackupsSchema, ChangedSchema, OperationDetailSchema, OperationsSchema, SamplesSchema } from './operations.ts';
export { NamespacesSchema, SessionSchema } from './session.ts';
export { ContentsSchema, DiffSchema, ItemSchema, VerifySchema, VolumeFilesSchema, VolumesSchema } from './contents.ts';
export { PlanSchema, SelectionSchema } from './plan.ts';
export { LocationsSchema, SchedulesSchema } from './schedules-and-locations.ts';
export { BlueprintSchema, BlueprintsSchema } from './blueprints.ts';
export { ErrorSchema } from './error.ts';
