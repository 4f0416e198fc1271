import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { misspeltMetric } from '../../app/readings/misspelt-metric';

test.each([
  ...['CO2', 'Co2', 'co2 ', 'CO₂', 'co_2', 'coo2', 'c2o', 'c02', 'co2_ppm', 'CarbonDioxide'].map((name) => [
    name,
    'co2',
  ]),
  ...['VOC', 'vocs', 'vco', 'tvoc', 'TVOC_ppb'].map((name) => [name, 'voc']),
  ...['vocIndex', 'VOC-Index', 'voc_indx', 'vocindex '].map((name) => [name, 'voc_index']),
  ['noxIndex', 'nox_index'],
  ...['co2_value', 'CO2 concentration'].map((name) => [name, 'co2']),
  ...[
    ['P1', 'pm10'],
    ['P2', 'pm25'],
  ],
  ...['humid', 'humidity_percent'].map((name) => [name, 'humidity']),
  ...['tmp', 'temp_celsius'].map((name) => [name, 'temperature']),
  ...['press', 'pres'].map((name) => [name, 'pressure']),
  ...['PM25', 'pm2.5', 'PM2_5', 'mp25', 'pm25_ugm3'].map((name) => [name, 'pm25']),
  ...['PM10', 'pm_10', 'ppm10', 'PM10.0'].map((name) => [name, 'pm10']),
  ...['PM1', 'pm01', 'pm1.0', 'PM1_0', 'pm_1'].map((name) => [name, 'pm1']),
  ...['PM4', 'pm4.0'].map((name) => [name, 'pm4']),
  ...['CO', 'carbon_monoxide', 'co_ppm', 'CarbonMonoxide'].map((name) => [name, 'co']),
  ...[
    ['HCHO', 'hcho'],
    ['formaldehyde', 'hcho'],
    ['NO2', 'no2'],
    ['nitrogen_dioxide', 'no2'],
    ['O3', 'o3'],
    ['ozone', 'o3'],
    ['Radon', 'radon'],
    ['radon_bqm3', 'radon'],
    ['Noise', 'noise'],
    ['noise_db', 'noise'],
    ['sound_pressure', 'noise'],
    ['lux', 'light'],
    ['illuminance', 'light'],
  ],
  ...[
    'Temperature',
    'temprature',
    'tempperature',
    'temperatur',
    'tempreature',
    'temperatura',
    'température',
    'temp',
    'Temp',
    'temperature_c',
  ].map((name) => [name, 'temperature']),
  ...['humidty', 'hum', 'Humidity', 'rh', 'humidiyt'].map((name) => [name, 'humidity']),
  ...['presure', 'barometer', 'pressure_hPa'].map((name) => [name, 'pressure']),
])('takes %j for %j', (name, field) => {
  expect(misspeltMetric(String(name))?.field ?? null).toBe(field);
});

test.each([
  ...['so2', 'o2', 'nh3', 'n2o', 'cov', 'eco', 'com', 'oc', 'eCO2', 'eco2', 'CO2e', 'co1', 'co22'],
  ...['voc2', 'soc', 'loc', 'vcc', 'vac', 'toc', 'svoc', 'nmvoc'],
  ...['pm40', 'pm50', 'pm03', 'pm1_a', 'pm25_a', 'pm25a', 'pm', 'night', 'lights'],
  ...['temperature_f', 'temperatureF', 'temp_f', 'temperature2', 'outdoor_temperature', 'color_temperature'],
  ...['humidity2', 'absolute_humidity', 'dewpoint', 'battery', 'rssi', 'voltage', 'aqi'],
  ...['', ' ', '__proto__', 'constructor', 'toString', `t${'_'.repeat(40)}emp`],
])('takes %j for another quantity', (name) => {
  expect(misspeltMetric(name)).toBeNull();
});

test('an exact name is not misspelt', () => {
  expect(METRICS.map(({ field }) => misspeltMetric(field))).toEqual(METRICS.map(() => null));
});
