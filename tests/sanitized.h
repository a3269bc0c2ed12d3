/* sanitized.h: whether an address sanitizer watches this build. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZED true
#endif
#endif
#ifndef ADDRESS_SANITIZED
#define ADDRESS_SANITIZED false
#endif

#endif
