// First, so that our own style sheets win.
import './mantine.css';
import './theme.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';
import { ServerClient } from './server/server-client.ts';
import { LiveConnection } from './live/live-connection.ts';
import { LiveStore } from './live/live-store.ts';
import { Services } from './server/services.ts';
import { theme } from './theme.ts';

const store = new LiveStore();
const client = new ServerClient((path, init) => fetch(path, init));
const connection = new LiveConnection({
  open: (lastEventId, signal) => client.events(lastEventId, signal),
  pages: (token, signal) => client.more(token, signal),
  store,
  clock: {
    now: () => Date.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  },
});

const root = document.getElementById('page');
if (root === null) throw new Error('start the page: index.html has no element with id "page"');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Everything stands in style sheets, so that the content security policy can forbid inline styles.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Services value={{ client, store, connection }}>
        <App />
      </Services>
    </MantineProvider>
  </StrictMode>,
);
