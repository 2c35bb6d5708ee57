//go:build linux

package main

import "strings"

const beanstalkd = "beanstalkd"

// beanstalkd starts beanstalkd, which keeps no binlog.
func (s *stage) beanstalkd() (*server, error) {
	at, err := s.target("tcp")
	if err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(at.Addr, ":")
	return s.startAsking("list-tube-used\r\n", "USING default\r\n", beanstalkd, at, s.options.beanstalkd, "-l", host, "-p", port)
}
