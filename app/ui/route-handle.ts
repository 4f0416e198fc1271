import type { ComponentType } from 'react';

/** What a route tells the document around it. */
export interface RouteHandle<Data> {
  /** Stands in the document's head, before the styles, with what the route's loader returned. */
  Head: ComponentType<Data>;
}
