// An ESP32 for sketches compiled for this machine, with the parts of the Arduino core that they use. Its clock is
// virtual: delay() advances it. The network and the time are available from WIFI_AT milliseconds on, and the board stops
// at STOP_AT.
#pragma once
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

struct String : std::string {
  using std::string::string;
  String(const std::string& text) : std::string(text) {}
  String(int value) : std::string(std::to_string(value)) {}
  String(unsigned long value) : std::string(std::to_string(value)) {}
  String(double value) : std::string() {  // with two decimals
    char text[48];
    snprintf(text, sizeof text, "%.2f", value);
    append(text);
  }
};

/** Since the board's start, which is partly over when the sketch begins. */
inline uint32_t boardMs = 300;
inline uint32_t setting(const char* name) { return (uint32_t)atol(getenv(name)); }
inline bool isOnline() { return boardMs >= setting("WIFI_AT"); }
inline uint32_t millis() { return boardMs; }
inline void delay(uint32_t ms) { boardMs += ms; }
/** The time since 1970, or since the board's start before the network has provided it. */
inline time_t boardTime() { return (isOnline() ? atol(getenv("STARTED_AT")) : 0) + boardMs / 1000; }
#define time(pointer) boardTime()

const int WL_CONNECTED = 3;
struct {
  void begin(const char*, const char*) {}
  int status() { return isOnline() ? WL_CONNECTED : 6; }
} inline WiFi;
struct {
  void begin(int) {}
  size_t println(const String& text) { return fprintf(stderr, "%s\n", text.c_str()); }
} inline Serial;
inline void configTime(int, int, const char*) {}

/** Sends the same request as HTTPClient of the ESP32's core. */
class HTTPClient {
 public:
  void begin(const String& address) {
    const size_t path = address.find('/', 7), port = address.find(':', 7);
    this->path = address.substr(path);
    authority = address.substr(7, path - 7);
    host = address.substr(7, port - 7);
    service = address.substr(port + 1, path - port - 1);
  }
  void setConnectTimeout(int) {}
  void setTimeout(int) {}
  void addHeader(const String& name, const String& value) { headers += name + ": " + value + "\r\n"; }
  int POST(const String& body) {
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host.c_str(), service.c_str(), &hints, &found) != 0) return -1;
    const int connection = socket(found->ai_family, found->ai_socktype, 0);
    const bool isConnected = connect(connection, found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    if (!isConnected) return -1;
    const std::string request = "POST " + path + " HTTP/1.1\r\nHost: " + authority +
                                "\r\nUser-Agent: ESP32HTTPClient\r\nConnection: keep-alive\r\n"
                                "Accept-Encoding: identity;q=1,chunked;q=0.1,*;q=0\r\n" +
                                headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    if (send(connection, request.data(), request.size(), 0) < 0) return -1;
    char answer[512] = {};
    recv(connection, answer, sizeof answer - 1, 0);
    close(connection);
    return atoi(answer + 9);  // after "HTTP/1.1 "
  }
  void end() { headers.clear(); }

 private:
  std::string authority, host, service, path, headers;
};

void setup();
void loop();
int main() {
  setup();
  while (boardMs < setting("STOP_AT")) loop();
}
