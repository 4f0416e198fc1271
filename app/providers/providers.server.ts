import { alertmanager } from './alertmanager';
import { apprise } from './apprise';
import { discord } from './discord';
import { gotify } from './gotify';
import { mattermost } from './mattermost';
import { ntfy } from './ntfy';
import type { Provider } from './provider';
import { pushover } from './pushover';
import { slack } from './slack';
import { telegram } from './telegram';
import { webhook } from './webhook.server';

/** The providers, in the order of pages and messages. Mail isn't one: it has no URL and no request. */
export const PROVIDERS: readonly Provider[] = [
  webhook,
  ntfy,
  telegram,
  pushover,
  slack,
  mattermost,
  discord,
  gotify,
  apprise,
  alertmanager,
];
