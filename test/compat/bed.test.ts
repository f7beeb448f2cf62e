import { servedBed } from '../served-cluster.ts';
import { CASES_ON_THE_BED, stockSuite } from './stock-suite.ts';

stockSuite({ target: 'the bed', start: servedBed, cases: CASES_ON_THE_BED, differs: {} });
