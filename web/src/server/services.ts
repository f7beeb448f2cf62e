import { createContext, use } from 'react';
import type { LiveConnection } from '../live/live-connection.ts';
import type { LiveStore } from '../live/live-store.ts';
import type { ServerClient } from './server-client.ts';

export interface PageServices {
  client: ServerClient;
  store: LiveStore;
  connection: LiveConnection;
}

export const Services = createContext<PageServices | undefined>(undefined);

export function useServices(): PageServices {
  const services = use(Services);
  if (services === undefined) throw new Error('use the page services: there is no provider above this component');
  return services;
}
