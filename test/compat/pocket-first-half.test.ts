import { pocketSuite } from './stock-suite.ts';

pocketSuite(0);
