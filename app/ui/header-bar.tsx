import { NavLink, useLocation, useMatches } from '@remix-run/react';
import { DEFAULT_RANGE } from '../readings/chart/range';
import type { ShownSensor } from '../readings/sensor';
import { withRange } from './chart/range-choice';
import { UNFRAMED, useFramed } from './not-framed';
import { sharedSearch, withRooms, withShownSensor } from './sensors/sensor-address';
import { FullScreenButton } from './wall/loaded-wall';

interface HeaderBarProps {
  /** True on an error page. Its links load whole documents, because Remix knows no routes for the page's address. */
  isOfError?: boolean;
  /** True if the server sends notifications; the header then links to their page. */
  hasNotifications?: boolean;
  /** The pages that other sites may show in frames. */
  framedPages?: readonly string[];
}

/** The header of every page: the name, the tagline and links to the pages. On a phone, two rows of 64 px in total. */
export function HeaderBar({ isOfError, hasNotifications, framedPages = [] }: HeaderBarProps) {
  const isFramed = useFramed();
  // A frame stays among the pages that it may show. Where that is only the chart, all links leave the frame.
  const staysInFrame = framedPages.length > 1;
  const isLeftOut = (page: string) => staysInFrame && !framedPages.includes(page);
  const matches = useMatches();
  const shown = matches.findLast(hasShownSensor)?.data.initial;
  const hasRooms = matches.some((match) => sensorsOf(match).length > 1);
  const links = [
    ...(hasRooms ? [ROOMS_LINK] : []),
    ...(hasNotifications ? ALL_PAGE_LINKS : PAGE_LINKS),
  ].filter(({ to }) => !(isFramed && isLeftOut(to)));
  const { search: own } = useLocation();
  const shared = sharedSearch(own);
  const search = shown ? withShownSensor(shared, shown) : shared;
  // The page `/chart` without a range has no earlier readings.
  const range = new URLSearchParams(own).get('range') ?? (shown ? DEFAULT_RANGE.name : null);
  const ofRooms = withRooms(search, own);
  const searchOf = (to: string) => {
    if (!ROOM_PAGES.includes(to)) return search;
    // Several rooms have a span instead of a range.
    return to === '/chart' && range && ofRooms === search ? withRange(search, range) : ofRooms;
  };
  return (
    <header className="relative mx-auto max-w-page px-3 sm:px-5">
      <div className="flex min-h-16 flex-wrap content-center items-center justify-between gap-x-4 sm:min-h-14 low:sm:min-h-11">
        {/* Room for the bell, which is beside the name on a phone. */}
        <div className={`flex min-h-6 items-center gap-2 ${hasNotifications ? 'max-sm:pr-8' : ''}`}>
          {/* Hidden on a narrow phone, for lack of room beside the bell. */}
          <Tagline iconLook={hasNotifications ? 'max-[22rem]:hidden' : ''} />
        </div>
        <nav aria-label="Pages" className="-mx-2.5 flex w-full flex-wrap sm:ml-auto sm:w-auto sm:gap-1">
          {links.map(({ to, text, isIcon }) => (
            <NavLink
              key={to}
              // Load a page's scripts only when its link is followed.
              discover="none"
              to={{ pathname: to, search: searchOf(to) }}
              reloadDocument={isOfError}
              end
              target={isFramed && !staysInFrame ? '_top' : undefined}
              className={({ isActive }) =>
                `rounded-full px-2.5 py-1 text-sm leading-6 whitespace-nowrap hover:text-ink lg:px-3 lg:text-base ${isActive ? 'bg-surface font-semibold text-ink shadow-[inset_0_0_0_1px_var(--line)] forced-colors:underline' : 'text-muted'} ${isIcon ? 'max-sm:absolute max-sm:top-0 max-sm:right-1' : ''} ${isLeftOut(to) ? UNFRAMED : ''}`
              }
            >
              {isIcon && <Icon path={BELL} className="my-0.5 lg:hidden" />}
              <span className={isIcon ? 'max-lg:sr-only' : ''}>{text}</span>
            </NavLink>
          ))}
        </nav>
        <FullScreenButton />
      </div>
    </header>
  );
}

/** The icon, the tagline and the name, in a row. */
export function Tagline({ iconLook }: { iconLook?: string }) {
  return (
    <>
      <Icon path={WINDOW} className={iconLook} />
      {/* Side by side, or stacked if the links leave too little room. */}
      <div className="flex items-baseline gap-2 sm:max-lg:flex-col-reverse sm:max-lg:gap-0">
        <p className="leading-5 font-semibold max-sm:text-sm">know when to open a window</p>
        <p className="text-xs/3 text-muted lg:text-sm">airboard</p>
      </div>
    </>
  );
}

type Match = ReturnType<typeof useMatches>[number];

/** True for the route of a page that shows a sensor's readings. */
function hasShownSensor(match: Match): match is Match & { data: { initial: ShownSensor } } {
  const data = match.data;
  return typeof data === 'object' && data !== null && 'initial' in data;
}

/** Returns the sensors that a page lists, with those that it shows or without. */
function sensorsOf(match: Match): readonly unknown[] {
  if (hasShownSensor(match)) return match.data.initial.sensors;
  const { sensors = [] } = (match.data ?? {}) as { sensors?: readonly unknown[] };
  return sensors;
}

interface PageLink {
  to: string;
  text: string;
  /** True to show an icon instead of the text on narrow screens. */
  isIcon?: true;
}

/** The pages of airboard, in the order of the header. */
export const PAGE_LINKS: readonly PageLink[] = [
  { to: '/', text: 'Dashboard' },
  { to: '/history', text: 'History' },
  { to: '/chart', text: 'Chart' },
  { to: '/postdata', text: 'Post data' },
];

/** The pages that show several rooms in one chart. */
const ROOM_PAGES = ['/history', '/chart'];

/** The page of all rooms, from two sensors on. */
const ROOMS_LINK: PageLink = { to: '/rooms', text: 'Rooms' };

const ALL_PAGE_LINKS: readonly PageLink[] = [
  ...PAGE_LINKS,
  { to: '/notifications', text: 'Notifications', isIcon: true },
];

/** A window with four panes, as in public/favicon.svg. */
export const WINDOW = 'M6 2h10q4 0 4 4v10q0 4-4 4H6q-4 0-4-4V6q0-4 4-4M11 2v18M2 11h18';
const BELL = 'M3 17h16l-2-4V9A6 6 0 0 0 5 9v4zM9 20h4';

function Icon({ path, className = '' }: { path: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 22 22"
      width="20"
      height="20"
      className={`size-5 shrink-0 fill-none stroke-current stroke-2 ${className}`}
    >
      <path d={path} />
    </svg>
  );
}
