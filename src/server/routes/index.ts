/**
 * Every path that the server answers, as one table: what it takes, what it answers, and who may ask.
 * It must never look at raw requests where the table can: what is asked arrives here checked.
 */
import type { Context } from '../context.ts';
import { backupRoutes } from './backup-routes.ts';
import { blueprintRoutes } from './blueprint-routes.ts';
import { changeRoutes } from './change-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { locationRoutes } from './location-routes.ts';
import { logRoutes } from './log-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { Route } from './route.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { systemRoutes } from './system-routes.ts';
import { volumeRoutes } from './volume-routes.ts';

export function allRoutes(context: Context): Route[] {
  const groups = [
    sessionRoutes,
    operationRoutes,
    logRoutes,
    eventRoutes,
    backupRoutes,
    volumeRoutes,
    changeRoutes,
    resourceRoutes,
    scheduleRoutes,
    blueprintRoutes,
    locationRoutes,
  ];
  const routes = groups.flatMap((group) => group(context));
  return [...routes, ...systemRoutes(context, routes)];
}
